/**
 * The program of `npm start`. Checks Node and the dependencies, and then runs main.ts. This file is JavaScript because
 * older versions of Node cannot run TypeScript.
 */
const REQUIRED_NODE = 24;
const [installed] = process.versions.node.split('.').map(Number);

if (installed < REQUIRED_NODE) {
  fail(`Node ${REQUIRED_NODE} is required, but this is Node ${process.versions.node}.`);
} else {
  await import('./main.ts').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    fail(error.message);
  });
}

function fail(message) {
  // The options are needed if NODE_ENV or npm's settings exclude development dependencies or scripts.
  process.stderr.write(
    `${message}\nRun \`npm ci --include=dev --ignore-scripts=false\`: it installs all dependencies, and Node ${REQUIRED_NODE} for all npm scripts. Then run \`npm start\`.\n`,
  );
  process.exitCode = 1;
}
