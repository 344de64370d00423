import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { initialValue, Secrets } from '../../infra/local/aws/secrets.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

test('a value is generated according to the rules in the template', () => {
  const rules = { GenerateStringKey: 'current', SecretStringTemplate: '{"owner":"x"}', PasswordLength: 64 };
  const value = initialValue({
    GenerateSecretString: { ...rules, ExcludePunctuation: true, ExcludeUppercase: true },
  });
  const parsed = JSON.parse(value ?? '');
  expect(parsed).toEqual({ owner: 'x', current: expect.stringMatching(/^[a-z0-9]{64}$/) });
  expect(initialValue({ GenerateSecretString: { ExcludeCharacters: 'abc', PasswordLength: 500 } })).toMatch(
    /^[^abc ]{500}$/,
  );
  expect(initialValue({ SecretString: 'unchanged' })).toBe('unchanged');
  expect(initialValue({})).toBeUndefined();
});

test('a file that only the user can read keeps the values between runs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  const file = join(directory, 'secrets.json');
  const template = {
    Resources: { Pepper: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } } },
  };
  const deployment = new Deployment([{ name: 's', template }]);
  const first = new Secrets(deployment, file).find('s-Pepper')?.value;
  const again = new Secrets(deployment, file);
  expect(again.find('s-Pepper')?.value).toBe(first);
  const secret = again.find('s-Pepper');
  if (secret) again.put(secret, 'rotated');
  expect(new Secrets(deployment, file).find('s-Pepper')?.value).toBe('rotated');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new Secrets(deployment).find('s-Pepper')?.value).not.toBe(first);
  rmSync(directory, { recursive: true });
});
