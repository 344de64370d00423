import { expect, test } from '@jest/globals';
import { sourcePosition } from '../../../shared/core/source-position.ts';

const failed = (message: string, stack: string) => Object.assign(new Error(message), { stack });

test('names the frames of our own sources, and no frame of Node.js, packages or the call itself', () => {
  const stack = `Error: NIN 41234567890
    at afterConnect [as oncomplete] (node:net:2021:16)
    at send (/var/task/node_modules/@smithy/core/client.js:3:9)
    at file:///home/dev/service/shared/core/trace-client.ts:30:7
    at async getRow (file:///home/dev/service/shared/core/database.ts:146:11)
    at async readAgain (/home/dev/service/shared/core/read-again.ts:32:5)
    at async Object.reserve (/home/dev/service/shared/ledger/reserve.ts:88:3)
    at async /home/dev/service/functions/nin-basic.ts:9:1`;
  expect(sourcePosition(failed('NIN 41234567890', stack))).toBe(
    'shared/core/database.ts:146 < shared/ledger/reserve.ts:88 < functions/nin-basic.ts:9',
  );
});

test('keeps the position in a bundle without a list of lines, and is undefined without a frame of ours', () => {
  const inBundle = failed('made up', 'Error: made up\n    at x (/var/task/index.cjs:1:7965)');
  expect(sourcePosition(inBundle)).toBe('index.cjs:1:7965');
  expect(sourcePosition(failed('', 'Error\n    at x (node:net:2021:16)'))).toBeUndefined();
});

test('takes nothing from the message, which may quote input', () => {
  const message = 'bad\n    at shared/41234567890:1:1';
  const stack = `Error: ${message}\n    at check (/service/shared/core/numbers.ts:5:3)`;
  expect(sourcePosition(failed(message, stack))).toBe('shared/core/numbers.ts:5');
});
