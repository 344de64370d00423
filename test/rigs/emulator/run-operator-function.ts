/** Runs a function of the operator API once, and prints its response. Arguments: the function and the event. */

const [name = '', event = ''] = process.argv.slice(2);
const { handler } = await import(`../../../functions/operators/${name}.ts`);
const context = { awsRequestId: 'emulator', getRemainingTimeInMillis: () => 60_000 };
process.stdout.write(`${JSON.stringify(await handler(JSON.parse(event), context))}\n`);
