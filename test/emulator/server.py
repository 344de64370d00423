"""moto's server, with what the service's stacks need of CloudFormation and moto lacks.

python server.py PORT. Tables, secrets, functions, roles, the REST API with its resources and methods, queues, topics,
log groups and schedules come to life in moto. What PLACEHOLDERS names gets a name that others can refer to, and
nothing more. moto warns on stderr of any other type.
"""

import json
import sys
from typing import Any

from moto.awslambda.models import LambdaVersion
from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import CloudFormationBackend
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.common_models import CloudFormationModel
from moto.core.responses import ActionResult
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import Table
from moto.secretsmanager.models import secretsmanager_backends
from moto.server import main


class GlobalTable(CloudFormationModel):
    """A table with one replica is a table: what CDK's TableV2 makes."""

    # moto counts its models by the second part of their module.
    __module__ = "emulator.dynamodb"

    @staticmethod
    def cloudformation_name_type() -> str:
        return "TableName"

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::DynamoDB::GlobalTable"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> Table:
        properties = cloudformation_json["Properties"]
        (replica,) = properties["Replicas"]
        plain = {**properties, "DeletionProtectionEnabled": replica["DeletionProtectionEnabled"]}
        return Table.create_from_cloudformation_json(
            resource_name, {"Properties": plain}, account_id, region_name
        )

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: Table, **_: Any) -> Table:
        return original_resource

    @classmethod
    def delete_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> None:
        dynamodb_backends[account_id][region_name].delete_table(name=resource_name)


class Secret(CloudFormationModel):
    """A secret with a given or a drawn value."""

    __module__ = "emulator.secretsmanager"

    def __init__(self, arn: str, name: str):
        self.arn = arn
        self.name = name

    @property
    def physical_resource_id(self) -> str:
        return self.arn

    @staticmethod
    def cloudformation_name_type() -> str:
        return "Name"

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::SecretsManager::Secret"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> "Secret":
        backend = secretsmanager_backends[account_id][region_name]
        properties = cloudformation_json["Properties"]
        rule = properties.get("GenerateSecretString")
        value = properties.get("SecretString")
        if rule:
            drawn = backend.get_random_password(int(rule["PasswordLength"]), "", False, True, False, False, False, True)
            value = json.dumps({**json.loads(rule["SecretStringTemplate"]), rule["GenerateStringKey"]: drawn})
        answer = backend.create_secret(
            name=resource_name,
            secret_string=value,
            secret_binary=None,
            description=properties.get("Description"),
            tags=[],
            kms_key_id=None,
            client_request_token=None,
            replica_regions=[],
            force_overwrite=False,
        )
        return cls(json.loads(answer)["ARN"], resource_name)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: "Secret", **_: Any) -> "Secret":
        return original_resource

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr == "Id"

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return self.arn


# Types of which moto has no CloudFormation. Their properties are checked by cfn-lint, not here.
PLACEHOLDERS = [
    "AWS::ApiGateway::Account",
    "AWS::ApiGateway::GatewayResponse",
    "AWS::ApiGateway::Stage",
    "AWS::CloudWatch::Alarm",
    "AWS::CodeDeploy::Application",
    "AWS::CodeDeploy::DeploymentGroup",
    "AWS::Events::EventBus",
    "AWS::Lambda::Alias",
    "AWS::Lambda::Url",
    "AWS::Logs::MetricFilter",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::TopicPolicy",
    "AWS::SQS::QueuePolicy",
    "AWS::WAFv2::WebACL",
    "AWS::WAFv2::WebACLAssociation",
]


def add_placeholder(resource_type: str) -> None:
    def create(cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any) -> Any:
        # Where an alias is named, moto looks for the function.
        return cls(cloudformation_json["Properties"].get("FunctionName", resource_name))

    members = {
        "__module__": "emulator.placeholders",
        "__init__": lambda self, name: setattr(self, "name", name),
        "physical_resource_id": property(lambda self: self.name),
        "has_cfn_attr": classmethod(lambda cls, attr: True),
        "get_cfn_attribute": lambda self, attr: f"https://{self.name}.{attr}.example.com/",
        "cloudformation_name_type": staticmethod(lambda: ""),
        "cloudformation_type": staticmethod(lambda: resource_type),
        "create_from_cloudformation_json": classmethod(create),
        "update_from_cloudformation_json": classmethod(lambda cls, original_resource, **_: original_resource),
        "delete_from_cloudformation_json": classmethod(lambda cls, *_: None),
    }
    PLACEHOLDER_CLASSES.append(type(resource_type.replace(":", ""), (CloudFormationModel,), members))


# moto keeps its models weakly.
PLACEHOLDER_CLASSES: list[type] = []
for each in PLACEHOLDERS:
    if not any(model.cloudformation_type() == each for model in CloudFormationModel.__subclasses__()):
        add_placeholder(each)

LambdaVersion.has_cfn_attr = classmethod(lambda cls, attr: attr == "Version")
LambdaVersion.get_cfn_attribute = lambda self, attr: str(self.version)


def update_termination_protection(self: CloudFormationResponse) -> ActionResult:
    stack = self.cloudformation_backend.get_stack(self._get_param("StackName"))
    stack.enable_termination_protection = self._get_param("EnableTerminationProtection") in (True, "true")
    return ActionResult({"StackId": stack.stack_id})


CloudFormationResponse.update_termination_protection = update_termination_protection

delete_stack = CloudFormationBackend.delete_stack


def delete_unprotected_stack(self: CloudFormationBackend, name_or_stack_id: str) -> None:
    stack = self.get_stack(name_or_stack_id)
    if stack.enable_termination_protection:
        raise ValidationError(stack.name, f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled")
    delete_stack(self, name_or_stack_id)


CloudFormationBackend.delete_stack = delete_unprotected_stack

if __name__ == "__main__":
    # By this name, and not by its number, moto finds the templates that it is sent by address.
    main(["-H", "localhost", "-p", sys.argv[1]])
