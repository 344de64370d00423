"""Tables of stacks, and their restore to a point in time.

moto always restores the current content of a table. Here each write stores a copy of the tables with point-in-time
recovery, and a restore uses the last copy before its time. On AWS the last five minutes cannot be restored; here they
can.
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
    """A global table with one replica, as the CDK's TableV2 creates it, is emulated as a table."""

    # moto reads a model's service from the second part of its module name.
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
        if "TimeToLiveSpecification" in properties:
            backend.update_time_to_live(table.name, properties["TimeToLiveSpecification"])
        backend.update_continuous_backups(table.name, replica["PointInTimeRecoverySpecification"])
        return table

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: Table, **_: Any) -> Table:
        raise NotImplementedError("The emulator cannot update tables.")

    @classmethod
    def delete_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str
    ) -> None:
        dynamodb_backends[account_id][region_name].delete_table(name=resource_name)


HISTORY: defaultdict[str, list[tuple[datetime, Any]]] = defaultdict(list)


def now() -> datetime:
    return datetime.now(timezone.utc)


def in_utc(time: datetime) -> datetime:
    """moto's times are in UTC, without a zone."""
    return time.replace(tzinfo=timezone.utc) if time.tzinfo is None else time


def is_restorable(table: Table) -> bool:
    return table.continuous_backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def with_history(write: Callable[[DynamoHandler], ActionResult]) -> Callable[[DynamoHandler], ActionResult]:
    @functools.wraps(write)
    def write_and_copy(self: DynamoHandler) -> ActionResult:
        result = write(self)
        for table in self.dynamodb_backend.tables.values():
            if is_restorable(table):
                HISTORY[table.table_arn].append((now(), copy.deepcopy(table.items)))
        return result

    return write_and_copy


for each in ("put_item", "update_item", "delete_item", "batch_write_item", "transact_write_items"):
    setattr(DynamoHandler, each, with_history(getattr(DynamoHandler, each)))


def restore_table_to_point_in_time(self: DynamoHandler) -> ActionResult:
    backend: DynamoDBBackend = self.dynamodb_backend
    target = self.body["TargetTableName"]
    restore_time = in_utc(self.body["RestoreDateTime"])
    try:
        source = backend.get_table(self.body["SourceTableName"])
    except ResourceNotFoundException:
        raise DynamodbException("TableNotFoundException", f"Table not found: {self.body['SourceTableName']}")
    if target in backend.tables:
        raise TableAlreadyExistsException(target)
    if not is_restorable(source):
        message = f"Point in time recovery is not enabled for table '{source.name}'"
        raise DynamodbException("PointInTimeRecoveryUnavailableException", message)
    if not in_utc(source.created_at) <= restore_time <= now():
        raise DynamodbException("InvalidRestoreTimeException", "The restore time is not within the recovery period")
    table = RestoredPITTable(target, account_id=self.current_account, region=self.region, source=source)
    table.billing_mode = source.billing_mode
    table.sse_specification = copy.deepcopy(source.sse_specification)
    copies = [items for at, items in HISTORY[source.table_arn] if at <= restore_time]
    table.items = copy.deepcopy(copies[-1]) if copies else defaultdict(dict)
    backend.tables[target] = table
    return DynamoResult(table.describe())


DynamoHandler.restore_table_to_point_in_time = restore_table_to_point_in_time

update_continuous_backups = DynamoDBBackend.update_continuous_backups
REJECTED: set[str] = set()


def update_continuous_backups_in_time(self: DynamoDBBackend, table_name: str, point_in_time_spec: Any) -> Any:
    """DynamoDB rejects this for a while after a table is created. Here, the first call after a restore is rejected."""
    table = self.tables.get(table_name)
    if isinstance(table, RestoredPITTable) and table.table_arn not in REJECTED:
        REJECTED.add(table.table_arn)
        message = f"Backups are being enabled for the table: {table_name}. Please retry later"
        raise DynamodbException("ContinuousBackupsUnavailableException", message)
    return update_continuous_backups(self, table_name, point_in_time_spec)


DynamoDBBackend.update_continuous_backups = update_continuous_backups_in_time
