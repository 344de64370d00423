import { expect, test } from '@jest/globals';
import { localService } from '../../../support/local-service.ts';
import { fuzzApi } from './run.ts';

const { baseUrl, credentials } = await localService();

test('the responses to requests generated from the API document are as documented', async () => {
  const { isPassed, output } = await fuzzApi({ baseUrl, apiKey: credentials.test.apiKey });
  expect({ isPassed, output }).toEqual({
    isPassed: true,
    output: expect.stringContaining('No issues found'),
  });
}, 1_200_000);
