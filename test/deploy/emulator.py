"""moto_server with five things that this test needs otherwise than moto 5.2.5 has them.

- Callers count as having come by TLS. SST's own buckets deny what comes without (a Deny whose condition is
  aws:SecureTransport = false); moto knows no conditions of bucket policies and takes that for an unconditional Deny.
- A function that is invoked runs: its event is handed to $TIMMERMAN_DEPLOY_LAMBDA, where the runtime interface emulator
  runs the code that was uploaded. moto itself would start a container.
- Event source mappings are kept but deliver nothing: moto would call the function within the sender's own request.
- A queue keeps its policy when another attribute is set; moto drops it.
- The one EKS cluster has the endpoint and the certificate of $TIMMERMAN_DEPLOY_KUBE and $TIMMERMAN_DEPLOY_KUBE_CA, and
  lets access entries in.
"""
import json
import os
import sys
import urllib.request

from moto.awslambda.models import LambdaBackend, LambdaFunction
from moto.eks.models import Cluster
from moto.iam.access_control import IAMPolicy, PermissionResult
from moto.s3.models import FakeBucket
from moto.server import main
from moto.sqs.models import Queue

INVOCATION_TIMEOUT_S = 300


def only_without_tls(statement):
    return statement.get("Condition", {}).get("Bool", {}).get("aws:SecureTransport") == "false"


def get_permission(bucket, action, resource):
    if bucket.policy is None:
        return PermissionResult.NEUTRAL
    policy = json.loads(bucket.policy)
    policy["Statement"] = [one for one in policy["Statement"] if not only_without_tls(one)]
    return IAMPolicy(json.dumps(policy)).is_action_permitted(action, resource)


def invoke(function, event=None):
    """moto's own result: the answer, whether it is an error, and the log."""
    runner = os.environ["TIMMERMAN_DEPLOY_LAMBDA"]
    request = urllib.request.Request(f"{runner}/{function.function_name}", json.dumps(event or {}).encode())
    with urllib.request.urlopen(request, timeout=INVOCATION_TIMEOUT_S) as response:
        answer = json.load(response)
    return json.dumps(answer["payload"]), answer["errored"], ""


plain_attributes = Queue._set_attributes


def set_attributes(queue, attributes, *args, **kwargs):
    policy = getattr(queue, "policy", None)
    plain_attributes(queue, attributes, *args, **kwargs)
    if "Policy" not in attributes:
        queue.policy = policy


plain_cluster = Cluster.__init__


def create_cluster(cluster, *args, **kwargs):
    plain_cluster(cluster, *args, **kwargs)
    cluster.endpoint = os.environ["TIMMERMAN_DEPLOY_KUBE"]
    cluster.certificate_authority = {"data": os.environ["TIMMERMAN_DEPLOY_KUBE_CA"]}


FakeBucket.get_permission = get_permission
LambdaFunction._invoke_lambda = invoke
LambdaBackend.send_sqs_batch = lambda *_: False
Cluster.__init__ = create_cluster
Queue._set_attributes = set_attributes

main(sys.argv[1:])
