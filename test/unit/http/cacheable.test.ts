import { expect, test } from '@jest/globals';
import { cacheable } from '../../../shared/http/cacheable.ts';
import { publicRoute, type Run } from '../../../shared/http/public-route.ts';
import { invoke } from '../../security/in-process.ts';

const content = (text: string): Run =>
  cacheable({ kind: 'document', status: 200, contentType: 'text/plain', body: text }, 'public');

const read = (text: string, ...tags: string[]) =>
  invoke(publicRoute('a-document', content(text)), { headers: { 'if-none-match': tags } });

test('content may be cached for an hour, and different content has a different ETag', async () => {
  const [one, two] = [await read('one'), await read('two')];
  expect(one).toMatchObject({
    statusCode: 200,
    body: 'one',
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
  expect(one.headers?.['ETag']).toMatch(/^W\/"[\w-]{22}"$/);
  expect(one.headers?.['ETag']).not.toBe(two.headers?.['ETag']);
});

test('a client that has the content gets 304 without a body, whatever form its ETag has', async () => {
  const tag = String((await read('one')).headers?.['ETag']);
  for (const tags of [[tag], [tag.slice(2)], ['"other"', tag], [`"other", ${tag}`], ['*']]) {
    const response = await read('one', ...tags);
    expect([tags, response.statusCode, response.body]).toEqual([tags, 304, '']);
    expect(response.headers).not.toHaveProperty('Content-Type');
    expect(response.headers).toMatchObject({ ETag: tag, 'Cache-Control': 'public, max-age=3600' });
  }
});

test('a client with an older version gets the new content', async () => {
  const old = String((await read('old')).headers?.['ETag']);
  expect(await read('one', old)).toMatchObject({ statusCode: 200, body: 'one' });
});
