"""Resources that get a name which others can refer to, and nothing more."""

from typing import Any

from moto.core.common_models import CloudFormationModel

# Types of which moto has no CloudFormation. Their properties are checked by cfn-lint, not here.
PLACEHOLDERS = [
    "AWS::ApiGateway::Account",
    "AWS::ApiGateway::GatewayResponse",
    "AWS::ApiGateway::Stage",
    "AWS::CloudWatch::Alarm",
    "AWS::CodeDeploy::Application",
    "AWS::CodeDeploy::DeploymentGroup",
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
        return cls(resource_name)

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
    add_placeholder(each)
