// String formats that kube-apiserver checks. Formats it doesn't know are ignored, as there.

const dateTime =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;
const date = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const goDuration = /^[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$|^[+-]?0$/;
const ipv4 = /^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const checks: Record<string, (text: string) => boolean> = {
  "date-time": (text) => dateTime.test(text) && date.test(text.slice(0, 10)) && daysFit(text),
  date: (text) => date.test(text) && daysFit(text),
  byte: (text) => base64.test(text),
  duration: (text) => goDuration.test(text),
  ipv4: (text) => ipv4.test(text),
  uuid: (text) => uuid.test(text),
};

/** Whether a text has a format; true for formats that are not checked. */
export function hasFormat(format: string, text: string): boolean {
  return !Object.hasOwn(checks, format) || checks[format]!(text);
}

/** Whether day, month and year name a day that exists. */
function daysFit(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= days[month - 1]!;
}
