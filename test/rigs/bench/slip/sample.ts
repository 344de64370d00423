/**
 * Measures, in a new process, the import of a module, its first slip, and its 44th to 83rd slip. Prints processor time
 * and elapsed time as JSON.
 */

const WARM_UP = 42;
const MEASURED = 40;
const [, , path = ''] = process.argv;

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const coldCpu = process.cpuUsage();
const start = performance.now();
const { draw } = (await import(path)) as { draw: () => Promise<Uint8Array> };
const importMs = performance.now() - start;
const bytes = (await draw()).length;
const firstMs = performance.now() - start - importMs;
const coldCpuMs = cpuMs(coldCpu);
for (let round = 0; round < WARM_UP; round += 1) await draw();
const elapsed: number[] = [];
const warmCpu = process.cpuUsage();
for (let round = 0; round < MEASURED; round += 1) {
  const begin = performance.now();
  await draw();
  elapsed.push(performance.now() - begin);
}
const warmCpuMs = cpuMs(warmCpu) / MEASURED;
const warmMs = elapsed.toSorted((a, b) => a - b)[MEASURED / 2] ?? Number.NaN;
console.log(JSON.stringify({ importMs, firstMs, warmMs, coldCpuMs, warmCpuMs, bytes }));

export {};
