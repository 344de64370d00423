"""Placeholders for resource types that moto lacks: a name to refer to, without behaviour. cfn-lint checks the properties."""

from typing import Any

from moto.cloudformation import parsing
from moto.core.common_models import CloudFormationModel
from moto.ses.models import ses_backends


class Placeholder(CloudFormationModel):
    # moto reads a model's service from the second part of its module name.
    __module__ = "emulator.placeholders"

    def __init__(self, name: str):
        self.name = name

    @property
    def physical_resource_id(self) -> str:
        return self.name

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "Emulator::Placeholder"

    @classmethod
    def create_from_cloudformation_json(cls, resource_name: str, *_: Any, **__: Any) -> "Placeholder":
        return cls(resource_name)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: "Placeholder", **_: Any) -> "Placeholder":
        return original_resource

    @classmethod
    def delete_from_cloudformation_json(cls, *_: Any) -> None:
        pass

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return True

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return f"https://{self.name}.{attribute_name}.example.com/"


class CreationFailed(Exception):
    """A resource cannot be created, so CloudFormation rolls back the stack."""


class UserPool(Placeholder):
    """Like Cognito, accepts only an SES identity that exists."""

    __module__ = "emulator.placeholders"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> "UserPool":
        source = cloudformation_json["Properties"].get("EmailConfiguration", {}).get("SourceArn")
        if source and source.split("/")[-1] not in ses_backends[account_id][region_name].email_identities:
            raise CreationFailed(f"SES has not verified {source}")
        return cls(resource_name)


class_of_moto = parsing.resource_class_from_type


def class_or_placeholder(resource_type: str) -> Any:
    if resource_type in parsing.NULL_MODELS:
        return None
    if resource_type == "AWS::Cognito::UserPool":
        return UserPool
    # The hosted zone is not part of the stacks.
    if resource_type.startswith("AWS::Route53::"):
        return Placeholder
    return class_of_moto(resource_type) or Placeholder


parsing.resource_class_from_type = class_or_placeholder
