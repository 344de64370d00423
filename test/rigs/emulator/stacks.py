"""Behaviour of CloudFormation that moto lacks or does differently."""

import sys
from typing import Any

from moto.cloudformation.exceptions import ValidationError
from moto.cloudformation.models import CloudFormationBackend, Stack
from moto.cloudformation.parsing import Output, OutputMap, ResourceMap, parse_and_update_resource
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.responses import ActionResult
from moto.logs.models import LogGroup, logs_backends
from moto.secretsmanager.models import secretsmanager_backends

from placeholders import CreationFailed
from secret import Secret


def update_termination_protection(self: CloudFormationResponse) -> ActionResult:
    stack = self.cloudformation_backend.get_stack(self._get_param("StackName"))
    stack.enable_termination_protection = self._get_param("EnableTerminationProtection") in (True, "true")
    return ActionResult({"StackId": stack.stack_id})


delete_stack = CloudFormationBackend.delete_stack


def delete_unprotected_stack(self: CloudFormationBackend, name_or_stack_id: str) -> None:
    stack = self.get_stack(name_or_stack_id)
    if stack.enable_termination_protection:
        raise ValidationError(stack.name, f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled")
    delete_stack(self, name_or_stack_id)


create_stack = CloudFormationBackend.create_stack


def create_or_roll_back_stack(self: CloudFormationBackend, name: str, *args: Any, **kwargs: Any) -> Stack:
    try:
        return create_stack(self, name, *args, **kwargs)
    except CreationFailed as failure:
        stack = self.get_stack(name)
        roll_back(stack)
        stack._add_stack_event("ROLLBACK_COMPLETE", resource_status_reason=str(failure))
        return stack


def roll_back(stack: Stack) -> None:
    """Deletes what was created, except for resources with the policy Retain."""
    created, declared = stack.resource_map._parsed_resources, stack.resource_map._resource_json_map
    kept: dict[str, Any] = {}
    for name in reversed(in_dependency_order(declared)):
        if name not in created:
            continue
        if declared[name].get("DeletionPolicy") == "Retain":
            created[name].resource_status = "DELETE_SKIPPED"
            kept[name] = declared[name]
        else:
            stack.resource_map._delete_resource(created.pop(name), declared[name])
    # moto would create what is missing as soon as something reads it.
    stack.resource_map._resource_json_map = kept
    stack.output_map._output_json_map = {}
    stack.output_map._parsed_outputs = {}
    stack.status = "ROLLBACK_COMPLETE"


def list_stack_resources(self: CloudFormationResponse) -> ActionResult:
    """Lists resources with their status. moto always says CREATE_COMPLETE."""
    stack, resources = self.cloudformation_backend.list_stack_resources(self._get_param("StackName"))
    summaries = [
        {
            "ResourceStatus": getattr(resource, "resource_status", "CREATE_COMPLETE"),
            "LogicalResourceId": getattr(resource, "logical_resource_id", ""),
            "LastUpdatedTimestamp": stack.creation_time,
            "PhysicalResourceId": getattr(resource, "physical_resource_id", ""),
            "ResourceType": getattr(resource, "cf_resource_type", ""),
        }
        for resource in resources
    ]
    return ActionResult({"StackResourceSummaries": summaries})


read_output = OutputMap.__getitem__


def read_output_or_url(self: OutputMap, key: str) -> Output | None:
    """Returns the address of the operator API that runs beside moto."""
    return Output(key, sys.argv[2], "") if key == "OperatorsUrl" else read_output(self, key)


resolve_update_parameters = CloudFormationBackend._resolve_update_parameters


def resolve_parameters_with_defaults(self: CloudFormationBackend, instance: Any, incoming_params: list[Any]) -> Any:
    """Allows the previous value of a parameter to be its default. moto raises KeyError if it was never passed."""
    given = [each for each in incoming_params if "ParameterValue" in each or each["ParameterKey"] in instance.parameters]
    return resolve_update_parameters(self, instance, given)


def names_in(part: Any) -> set[str]:
    """Returns the names to which a part of a template refers. Some of them are not resources."""
    if isinstance(part, list):
        return set().union(*map(names_in, part))
    if not isinstance(part, dict):
        return set()
    names = set().union(*map(names_in, part.values()))
    if "Ref" in part:
        names.add(part["Ref"])
    if "Fn::GetAtt" in part:
        names.add(part["Fn::GetAtt"][0])
    depends_on = part.get("DependsOn", [])
    return names | ({depends_on} if isinstance(depends_on, str) else set(depends_on))


def in_dependency_order(resources: dict[str, Any]) -> list[str]:
    order: dict[str, None] = {}

    def add(name: str) -> None:
        if name in order:
            return
        for needed in sorted(names_in(resources[name]) & resources.keys() - {name}):
            add(needed)
        order[name] = None

    for name in resources:
        add(name)
    return list(order)


create_resources = ResourceMap.create


def create_tagged_resources(self: ResourceMap, template: dict[str, Any]) -> bool:
    """Creates resources, and gives the tags of the stack to secrets and log groups. The template sets those of tables."""
    are_ready = create_resources(self, template)
    for resource in self._parsed_resources.values():
        if isinstance(resource, Secret):
            secretsmanager_backends[self._account_id][self._region_name].tag_resource(resource.arn, self.tags)
        elif isinstance(resource, LogGroup):
            logs_backends[self._account_id][self._region_name].tag_resource(resource.arn, self.tags)
    return are_ready


def update_resources(self: ResourceMap, template: dict[str, Any], parameters: dict[str, Any] | None = None) -> None:
    """Creates and updates resources in the order of their dependencies, then removes the dropped ones.

    moto removes resources first and updates them last, so it would publish a new version of a function with
    its old code.
    """
    old = self._resource_json_map
    actions = self.build_resource_diff(template, parameters)
    self._template = template
    self._resource_json_map = template["Resources"]
    if parameters:
        self.input_parameters = parameters
    self.load_mapping()
    self.load_parameters()
    self.load_conditions()
    for name in in_dependency_order(self._resource_json_map):
        if name in actions["Add"]:
            _ = self[name]
        elif name in actions["Modify"]:
            resource = self._resource_json_map[name]
            changed = parse_and_update_resource(name, resource, self, self._account_id, self._region_name)
            if changed is None:
                raise NotImplementedError(f"The emulator cannot update {resource['Type']} ({name}).")
            self._parsed_resources[name] = changed
    remove(self, old, actions["Remove"])


def delete_resources(self: ResourceMap) -> None:
    """Removes resources in the reverse order of their dependencies.

    moto uses an arbitrary order, and fails on some aliases. Afterwards, it reads the outputs of the stack, and would
    recreate the resources that they refer to.
    """
    resources = dict(self._parsed_resources)
    remove(self, self._resource_json_map, list(self._resource_json_map))
    self._parsed_resources = resources


def remove(self: ResourceMap, resources: dict[str, Any], names: list[str]) -> None:
    for name in reversed(in_dependency_order(resources)):
        if name in names:
            resource = self._parsed_resources.pop(name)
            if not resources[name].get("DeletionPolicy", "").startswith("Retain"):
                self._delete_resource(resource, resources[name])


CloudFormationResponse.update_termination_protection = update_termination_protection
CloudFormationBackend.delete_stack = delete_unprotected_stack
CloudFormationBackend.create_stack = create_or_roll_back_stack
CloudFormationResponse.list_stack_resources = list_stack_resources
CloudFormationBackend._resolve_update_parameters = resolve_parameters_with_defaults
OutputMap.__getitem__ = read_output_or_url
ResourceMap.create = create_tagged_resources
ResourceMap.update = update_resources
ResourceMap.delete = delete_resources
