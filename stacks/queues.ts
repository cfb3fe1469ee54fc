import { deadLetterRetentionS, queueSettings } from "./function-settings.ts";
import { pascal, type QueueName, type QueueParts, queueNames } from "./names.ts";
import { queueDocument, type Sender } from "./policies-resources.ts";

// The queues that controllers are fed from, each with one for its dead letters. Encrypted with SQS's own key.

type Text = $util.Output<string>;

export interface Queues {
  readonly components: Readonly<Record<QueueName, sst.aws.Queue>>;
  readonly queues: Readonly<Record<QueueName, QueueParts<Text>>>;
  readonly deadLetters: Readonly<Record<QueueName, QueueParts<Text>>>;
}

export function createQueues(): Queues {
  const made = queueNames.map((name) => {
    const settings = queueSettings[name];
    const deadLetters = new sst.aws.Queue(`${pascal(name)}DeadLetters`, {
      transform: { queue: { messageRetentionSeconds: deadLetterRetentionS, sqsManagedSseEnabled: true } },
    });
    const queue = new sst.aws.Queue(pascal(name), {
      dlq: { queue: deadLetters.arn, retry: settings.maxReceiveCount },
      visibilityTimeout: `${settings.visibilityTimeoutS} seconds`,
      transform: { queue: { messageRetentionSeconds: settings.retentionS, sqsManagedSseEnabled: true } },
    });
    new aws.sqs.RedriveAllowPolicy(`${pascal(name)}DeadLettersFrom`, {
      queueUrl: deadLetters.url,
      redriveAllowPolicy: $jsonStringify({ redrivePermission: "byQueue", sourceQueueArns: [queue.arn] }),
    });
    new aws.sqs.QueuePolicy(`${pascal(name)}DeadLettersPolicy`, {
      queueUrl: deadLetters.url,
      policy: queuePolicy(deadLetters.arn, []),
    });
    return [name, queue, deadLetters] as const;
  });
  const record = <V>(pick: (queue: sst.aws.Queue, deadLetters: sst.aws.Queue) => V) =>
    Object.fromEntries(made.map(([name, queue, deadLetters]) => [name, pick(queue, deadLetters)])) as Record<
      QueueName,
      V
    >;
  return {
    components: record((queue) => queue),
    queues: record(partsOf),
    deadLetters: record((_queue, deadLetters) => partsOf(deadLetters)),
  };
}

/** TLS only; and these senders. */
export function queuePolicy(arn: Text, senders: readonly Sender[]): Text {
  return $jsonStringify(queueDocument(arn, senders));
}

function partsOf(queue: sst.aws.Queue): QueueParts<Text> {
  return { name: queue.nodes.queue.name, arn: queue.arn, url: queue.url };
}
