/** A call that EC2 refuses: the code and message that the SDK shows as `name` and `message`, and the HTTP status. */
export class Ec2Error extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number = statusOf(code)) {
    super(message);
    this.name = "Ec2Error";
    this.code = code;
    this.status = status;
  }
}

// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html: client errors are 400 but for these; server errors are 5xx.
const statuses: Readonly<Record<string, number>> = {
  UnauthorizedOperation: 403,
  AuthFailure: 401,
  OptInRequired: 401,
  DryRunOperation: 412,
  RequestLimitExceeded: 503,
  Unavailable: 503,
  ServiceUnavailable: 503,
  InternalError: 500,
  InternalFailure: 500,
};

function statusOf(code: string): number {
  return statuses[code] ?? 400;
}
