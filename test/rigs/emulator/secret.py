"""Secrets as stack resources, stored in moto's Secrets Manager."""

import json
from typing import Any

from moto.core.common_models import CloudFormationModel
from moto.secretsmanager.models import secretsmanager_backends


class Secret(CloudFormationModel):
    """A secret with a given or a generated value."""

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
            length, has_no_punctuation = int(rule["PasswordLength"]), rule.get("ExcludePunctuation", False)
            generated = backend.get_random_password(length, "", False, has_no_punctuation, False, False, False, True)
            password = json.loads(generated)["RandomPassword"]
            value = json.dumps({**json.loads(rule["SecretStringTemplate"]), rule["GenerateStringKey"]: password})
        created = backend.create_secret(
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
        return cls(json.loads(created)["ARN"], resource_name)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: "Secret", **_: Any) -> "Secret":
        return original_resource

    def delete(self, account_id: str, region_name: str) -> None:
        secretsmanager_backends[account_id][region_name].delete_secret(self.arn, None, force_delete_without_recovery=True)

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr == "Id"

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return self.arn
