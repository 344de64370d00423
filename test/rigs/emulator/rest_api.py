"""The body of a REST API. moto ignores it in stacks, and cannot update an API."""

from typing import Any

from moto.apigateway.models import APIGatewayBackend, Resource, RestAPI, apigateway_backends

ANY_METHOD = "x-amazon-apigateway-any-method"
CREATE = RestAPI.create_from_cloudformation_json.__func__


def import_body(backend: APIGatewayBackend, api: RestAPI, body: dict[str, Any]) -> None:
    """Replaces all resources and methods with those of the body, as an import with mode=overwrite does."""
    api.resources.clear()
    api.default = api.add_child("/")
    for path, operations in body["paths"].items():
        resource = resource_of(backend, api, path)
        for key, operation in operations.items():
            method = "ANY" if key == ANY_METHOD else key.upper()
            integration = operation["x-amazon-apigateway-integration"]
            backend.put_method(api.id, resource.id, method, "NONE")
            backend.put_integration(
                api.id,
                resource.id,
                method,
                integration["type"].upper(),
                integration["uri"],
                integration["httpMethod"],
            )


def resource_of(backend: APIGatewayBackend, api: RestAPI, path: str) -> Resource:
    """Returns the resource of a path. Creates it and its parents if they do not exist."""
    parent = api.get_resource_for_path("/")
    parts = [part for part in path.split("/") if part]
    for index, part in enumerate(parts):
        known = api.get_resource_for_path("/" + "/".join(parts[: index + 1]))
        parent = known or backend.create_resource(api.id, parent.id, part)
    return parent


def create_api(
    cls: type[RestAPI], resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
) -> RestAPI:
    api = CREATE(cls, resource_name, cloudformation_json, account_id, region_name)
    import_body(apigateway_backends[account_id][region_name], api, cloudformation_json["Properties"]["Body"])
    return api


def update_api(
    cls: type[RestAPI],
    original_resource: RestAPI,
    cloudformation_json: Any,
    account_id: str,
    region_name: str,
    **_: Any,
) -> RestAPI:
    backend = apigateway_backends[account_id][region_name]
    import_body(backend, original_resource, cloudformation_json["Properties"]["Body"])
    return original_resource


RestAPI.create_from_cloudformation_json = classmethod(create_api)
RestAPI.update_from_cloudformation_json = classmethod(update_api)
