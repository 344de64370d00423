"""Versions and aliases of functions as stack resources, stored in moto's Lambda."""

from typing import Any
from weakref import WeakKeyDictionary

from moto.awslambda.models import LambdaAlias, LambdaBackend, LambdaFunction, LambdaVersion
from moto.awslambda.utils import get_backend
from moto.core.common_models import CloudFormationModel

# The highest version of each function. The key is the function's policy, which all its versions share.
HIGHEST_VERSION: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
set_version = LambdaFunction.set_version


def set_new_version(self: LambdaFunction, version: int) -> None:
    """Lambda never reuses a version number. moto counts the versions that remain."""
    number = max(version, HIGHEST_VERSION.get(self.policy, 0) + 1)
    HIGHEST_VERSION[self.policy] = number
    set_version(self, number)


LambdaFunction.set_version = set_new_version
# moto would run a function in a container for each row of a table with a stream.
LambdaBackend.send_dynamodb_items = lambda *_, **__: True
CREATE_VERSION = LambdaVersion.create_from_cloudformation_json.__func__


def create_version(
    cls: type, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
) -> LambdaVersion:
    version = CREATE_VERSION(cls, resource_name, cloudformation_json, account_id, region_name)
    version.function_name = cloudformation_json["Properties"]["FunctionName"]
    return version


def delete_version(self: LambdaVersion, account_id: str, region_name: str) -> None:
    get_backend(account_id, region_name).delete_function(self.function_name, str(self.version))


LambdaVersion.create_from_cloudformation_json = classmethod(create_version)
LambdaVersion.delete = delete_version
LambdaVersion.has_cfn_attr = classmethod(lambda cls, attr: attr == "Version")
LambdaVersion.get_cfn_attribute = lambda self, attr: str(self.version)


class Alias(CloudFormationModel):
    """An alias, which moves to another version at once. The steps and the rollback of CodeDeploy are not emulated."""

    # moto reads a model's service from the second part of its module name.
    __module__ = "emulator.awslambda"

    def __init__(self, function_name: str, alias: LambdaAlias):
        self.function_name = function_name
        self.alias = alias

    @property
    def physical_resource_id(self) -> str:
        return self.alias.arn

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::Lambda::Alias"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> "Alias":
        properties = cloudformation_json["Properties"]
        function_name = properties["FunctionName"]
        backend = get_backend(account_id, region_name)
        return cls(
            function_name,
            backend.create_alias(properties["Name"], function_name, properties["FunctionVersion"], "", ""),
        )

    @classmethod
    def update_from_cloudformation_json(
        cls, original_resource: "Alias", cloudformation_json: Any, account_id: str, region_name: str, **_: Any
    ) -> "Alias":
        properties = cloudformation_json["Properties"]
        backend = get_backend(account_id, region_name)
        backend.update_alias(properties["Name"], properties["FunctionName"], properties["FunctionVersion"], "", "")
        return original_resource

    def delete(self, account_id: str, region_name: str) -> None:
        get_backend(account_id, region_name).delete_alias(self.alias.name, self.function_name)

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr == "AliasArn"

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return self.alias.arn
