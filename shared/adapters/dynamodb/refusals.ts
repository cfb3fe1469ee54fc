import type { CapacityType } from "../../core/model/index.ts";
import type { ClaimStore } from "../../ports/index.ts";
import { putAll, queryAll, type Table } from "./calls.ts";
import { number } from "./records.ts";
import { expiresAt, type Item, keys } from "./table.ts";

export function refusalMethods(table: Table): Pick<ClaimStore, "noteRefusals" | "readRefusals"> {
  return {
    async noteRefusals(region, refusals) {
      // One request must not name an offering twice; the last note of it counts.
      const latest = new Map<string, Item>();
      for (const { instanceType, zoneId, capacityType, reservationId, untilMs } of refusals) {
        const offering = [instanceType, zoneId, capacityType, ...(reservationId ? [reservationId] : [])].join("#");
        latest.set(offering, {
          ...keys.refusal(region, offering),
          untilMs: number(untilMs),
          expiresAt: expiresAt(untilMs),
        });
      }
      await putAll(table, [...latest.values()], `noting refused offerings of ${region}`);
    },
    async readRefusals(region, nowMs) {
      const items = await queryAll(
        table,
        {
          KeyConditionExpression: "pk = :market",
          FilterExpression: "untilMs > :now",
          ExpressionAttributeValues: { ":market": { S: keys.marketPartition(region) }, ":now": number(nowMs) },
        },
        `reading refused offerings of ${region}`,
      );
      return items.map((item) => {
        const [instanceType = "", zoneId = "", capacityType = "", reservationId] = (item.sk?.S ?? "").split("#");
        return {
          instanceType,
          zoneId,
          capacityType: capacityType as CapacityType,
          ...(reservationId === undefined ? {} : { reservationId }),
          untilMs: Number(item.untilMs?.N),
        };
      });
    },
  };
}
