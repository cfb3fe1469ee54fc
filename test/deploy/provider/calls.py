"""Calls AWS for the provider stand-in: one JSON request a line on stdin, one JSON answer a line on stdout.

boto3 knows every service's operations and checks parameters against AWS's own service models before it sends
anything; it comes with moto. AWS_ENDPOINT_URL says where the calls go.
"""
import base64
import datetime
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore import xform_name
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError
from botocore.validate import ParamValidator

# The bodies of S3 objects are sent as they are: without checksums that newer clients add in trailers.
CONFIG = Config(
    s3={"addressing_style": "path"},
    request_checksum_calculation="when_required",
    retries={"total_max_attempts": 1},
)
clients = {}
creating = threading.Lock()
writing = threading.Lock()


def client(request):
    which = (request["service"], request["region"])
    with creating:
        if which not in clients:
            clients[which] = boto3.client(which[0], region_name=which[1], config=CONFIG)
        return clients[which]


def decode(value):
    """Bytes travel as {"$base64": …}, files as {"$file": path}."""
    if isinstance(value, dict):
        if set(value) == {"$base64"}:
            return base64.b64decode(value["$base64"])
        if set(value) == {"$file"}:
            with open(value["$file"], "rb") as file:
                return file.read()
        return {key: decode(one) for key, one in value.items()}
    if isinstance(value, list):
        return [decode(one) for one in value]
    return value


def encode(value):
    if isinstance(value, bytes):
        return {"$base64": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if hasattr(value, "read"):
        return encode(value.read())
    raise TypeError(f"an answer holds a {type(value).__name__}, which JSON has not")


def check(request):
    """Raises what AWS's model of the service has against a call's parameters."""
    model = client(request).meta.service_model.operation_model(request["operation"])
    report = ParamValidator().validate(decode(request["parameters"]), model.input_shape)
    if report.has_errors():
        raise ParamValidationError(report=report.generate_report())
    return {}


def answer(request):
    try:
        if request.get("unsent"):
            return {"id": request["id"], "result": check(request)}
        method = getattr(client(request), xform_name(request["operation"]))
        result = method(**decode(request["parameters"]))
        result.pop("ResponseMetadata", None)
        return {"id": request["id"], "result": result}
    except ClientError as error:
        return {"id": request["id"], "code": error.response["Error"]["Code"], "message": str(error)}
    except (BotoCoreError, AttributeError) as error:
        return {"id": request["id"], "code": type(error).__name__, "message": str(error)}


def serve(line):
    text = json.dumps(answer(json.loads(line)), default=encode)
    with writing:
        print(text, flush=True)


with ThreadPoolExecutor(max_workers=4) as pool:
    for one in sys.stdin:
        pool.submit(serve, one)
