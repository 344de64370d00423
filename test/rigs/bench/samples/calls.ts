import { verifyOnTheWire } from '../stage/one-verification.ts';
import type { SentCall } from '../stage/wire.ts';

/** One process that records the calls of a verification that finds a record. Argument: API key. */
const [, , live = ''] = process.argv;
const environment = Object.fromEntries(
  Object.entries(process.env).map(([name, value]) => [name, value ?? '']),
);
const stories = await verifyOnTheWire({ environment, live }, ['0001']);
const result: readonly SentCall[] = stories.get('0001') ?? [];
process.send?.(result, () => process.exit(0));
