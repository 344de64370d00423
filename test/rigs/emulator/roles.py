"""Deletion of roles and managed policies. CloudFormation detaches them from each other first; moto does not."""

from typing import Any

from moto.iam.models import ManagedPolicy, Role, iam_backends
from moto.utilities.utils import get_partition

delete_in_moto = Role.delete_from_cloudformation_json.__func__


def delete_role(
    cls: type[Role], resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
) -> None:
    backend = iam_backends[account_id][get_partition(region_name)]
    for arn in list(backend.get_role(resource_name).managed_policies):
        backend.detach_role_policy(arn, resource_name)
    delete_in_moto(cls, resource_name, cloudformation_json, account_id, region_name)


def delete_policy(
    cls: type[ManagedPolicy], resource_name: str, _: Any, account_id: str, region_name: str
) -> None:
    backend = iam_backends[account_id][get_partition(region_name)]
    for role in backend.roles.values():
        if resource_name in role.managed_policies:
            backend.detach_role_policy(resource_name, role.name)
    backend.managed_policies.pop(resource_name, None)


Role.delete_from_cloudformation_json = classmethod(delete_role)
ManagedPolicy.delete_from_cloudformation_json = classmethod(delete_policy)
