"""Placeholders for resource types that moto lacks: a name to refer to, without behaviour. cfn-lint checks the properties."""

from typing import Any

from moto.cloudformation import parsing
from moto.core.common_models import CloudFormationModel


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


class_of_moto = parsing.resource_class_from_type


def class_or_placeholder(resource_type: str) -> Any:
    if resource_type in parsing.NULL_MODELS:
        return None
    return class_of_moto(resource_type) or Placeholder


parsing.resource_class_from_type = class_or_placeholder
