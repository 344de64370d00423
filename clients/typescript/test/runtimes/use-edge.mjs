import { readFileSync } from 'node:fs';
import { EdgeVM } from '@edge-runtime/vm';

const [, , baseUrl, apiKey, number, bundleFile] = process.argv;
const vm = new EdgeVM();
vm.evaluate(readFileSync(bundleFile, 'utf8'));
const settings = JSON.stringify({ apiKey, baseUrl });
const call = `new ngIdentity.IdentityClient(${settings}).verify('NIN', '${number}')`;
console.log(await vm.evaluate(`${call}.then(({ data }) => data.nin)`));
