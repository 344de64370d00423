import { describe, expect, test } from '@jest/globals';
import { searchText } from './search-log.ts';

/** Checks the search that fails the whole test run if the functions' output contains identity data. */

const NUMBER = '71234567890';
const NAME = 'Ọláńrewájú';
const LONG = 'Ngozi Adéṣẹ̀wà Okonkwo';

const forms = (line: string, ...canaries: string[]) => searchText(line, canaries).map(({ form }) => form);

describe('a number is found', () => {
  test.each([
    ['as text', NUMBER],
    ['in an error message', `"message":"no record for ${NUMBER}."`],
    ['in a path', `/v1/ng/nin/${NUMBER}/slip`],
    ['as hex', Buffer.from(NUMBER).toString('hex')],
    ['in the base64 of a body', Buffer.from(`{"id_number":"${NUMBER}"}`).toString('base64')],
    ['in base64, shifted by one byte', Buffer.from(`x{"id_number":"${NUMBER}"}`).toString('base64')],
    ['in base64, shifted by two bytes', Buffer.from(`xy{"id_number":"${NUMBER}"}`).toString('base64url')],
  ])('%s', (_, line) => {
    expect(forms(line, NUMBER)).not.toEqual([]);
  });

  test('if it is unknown, as eleven digits in a row', () => {
    expect(forms('{"detail":"80000000001"}')).toEqual(['11 digits']);
  });
});

describe('a name is found', () => {
  test.each([
    ['as text', `name ${NAME}.`, NAME],
    [
      'in JSON with only ASCII characters',
      JSON.stringify(NAME).replaceAll(
        /[^ -~]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      NAME,
    ],
    ['in a URL', `?q=${encodeURIComponent(NAME)}`, NAME],
    ['in base64', Buffer.from(`{"firstname":"${LONG}"}`).toString('base64'), LONG],
    ['in capitals', LONG.toUpperCase(), LONG],
    ['if it is short, as a whole word', '{"detail":"Ada is unknown"}', 'Ada'],
  ])('%s', (_, line, canary) => {
    expect(forms(line, canary)).not.toEqual([]);
  });
});

describe('nothing is found', () => {
  test.each([
    ['in a time', '{"timestamp":1795264012345}', '7952640123'],
    ['in an operation ID', '{"operation_id":"01KADA3CV5Y2M2J1Q0QW5PZ7Z4"}', 'Ada'],
    ['in a request ID', '{"request_id":"req_712345678901"}', '71234567890'],
    ['in hex', `{"hash":"${'a71234567890f'.repeat(2)}"}`, NUMBER],
    ['in a fraction', '{"latency":0.71234567890}', 'Ngozi'],
  ])('%s', (_, line, canary) => {
    expect(forms(line, canary)).toEqual([]);
  });
});
