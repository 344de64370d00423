"""Tables of stacks, and their restore to a point in time.

moto restores what a table holds now, whatever instant it is asked for. Here each write leaves a copy of the tables with
point-in-time recovery, and a restore takes that of the instant. On AWS the last five minutes cannot be restored yet;
here all can.
"""

import copy
import functools
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

from moto.core.common_models import CloudFormationModel
from moto.core.responses import ActionResult
from moto.dynamodb.exceptions import DynamodbException, ResourceNotFoundException, TableAlreadyExistsException
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.table import RestoredPITTable, Table
from moto.dynamodb.responses import DynamoHandler, DynamoResult


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
        plain = {
            **properties,
            "DeletionProtectionEnabled": replica["DeletionProtectionEnabled"],
            "Tags": replica.get("Tags"),
        }
        table = Table.create_from_cloudformation_json(resource_name, {"Properties": plain}, account_id, region_name)
        backend = dynamodb_backends[account_id][region_name]
        backend.update_time_to_live(table.name, properties["TimeToLiveSpecification"])
        backend.update_continuous_backups(table.name, replica["PointInTimeRecoverySpecification"])
        return table

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: Table, **_: Any) -> Table:
        raise NotImplementedError("The emulator changes no tables.")

    @classmethod
    def delete_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> None:
        dynamodb_backends[account_id][region_name].delete_table(name=resource_name)


HISTORY: defaultdict[str, list[tuple[datetime, Any]]] = defaultdict(list)


def now() -> datetime:
    return datetime.now(timezone.utc)


def in_utc(instant: datetime) -> datetime:
    """moto's own instants have no zone, and are in UTC."""
    return instant.replace(tzinfo=timezone.utc) if instant.tzinfo is None else instant


def is_restorable(table: Table) -> bool:
    return table.continuous_backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def remembering(write: Callable[[DynamoHandler], ActionResult]) -> Callable[[DynamoHandler], ActionResult]:
    @functools.wraps(write)
    def remember(self: DynamoHandler) -> ActionResult:
        answer = write(self)
        for table in self.dynamodb_backend.tables.values():
            if is_restorable(table):
                HISTORY[table.table_arn].append((now(), copy.deepcopy(table.items)))
        return answer

    return remember


for each in ("put_item", "update_item", "delete_item", "batch_write_item", "transact_write_items"):
    setattr(DynamoHandler, each, remembering(getattr(DynamoHandler, each)))


def restore_table_to_point_in_time(self: DynamoHandler) -> ActionResult:
    backend: DynamoDBBackend = self.dynamodb_backend
    target = self.body["TargetTableName"]
    instant = in_utc(self.body["RestoreDateTime"])
    try:
        source = backend.get_table(self.body["SourceTableName"])
    except ResourceNotFoundException:
        raise DynamodbException("TableNotFoundException", f"Table not found: {self.body['SourceTableName']}")
    if target in backend.tables:
        raise TableAlreadyExistsException(target)
    if not is_restorable(source):
        message = f"Point in time recovery is not enabled for table '{source.name}'"
        raise DynamodbException("PointInTimeRecoveryUnavailableException", message)
    if not in_utc(source.created_at) <= instant <= now():
        raise DynamodbException("InvalidRestoreTimeException", "The restore time is not within the recovery period")
    table = RestoredPITTable(target, account_id=self.current_account, region=self.region, source=source)
    table.billing_mode = source.billing_mode
    table.sse_specification = copy.deepcopy(source.sse_specification)
    copies = [items for at, items in HISTORY[source.table_arn] if at <= instant]
    table.items = copy.deepcopy(copies[-1]) if copies else defaultdict(dict)
    backend.tables[target] = table
    return DynamoResult(table.describe())


DynamoHandler.restore_table_to_point_in_time = restore_table_to_point_in_time

update_continuous_backups = DynamoDBBackend.update_continuous_backups
REFUSED: set[str] = set()


def update_continuous_backups_in_time(self: DynamoDBBackend, table_name: str, point_in_time_spec: Any) -> Any:
    """DynamoDB refuses for a while after a table has come to life; here the first time after a restore."""
    table = self.tables.get(table_name)
    if isinstance(table, RestoredPITTable) and table.table_arn not in REFUSED:
        REFUSED.add(table.table_arn)
        message = f"Backups are being enabled for the table: {table_name}. Please retry later"
        raise DynamodbException("ContinuousBackupsUnavailableException", message)
    return update_continuous_backups(self, table_name, point_in_time_spec)


DynamoDBBackend.update_continuous_backups = update_continuous_backups_in_time
