import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { stringify } from 'devalue';
import superjson from 'superjson';
import { assert, client, NIN } from './server.mjs';

// A server component of React, as in Next.js.
const require = createRequire(import.meta.url);
const { renderToPipeableStream } = require('react-server-dom-webpack/server.node');
const result = await client.verify('NIN', NIN);
const errors = [];
let sent = '';
await new Promise((done) => {
  const write = (chunk, _, next) => {
    sent += chunk;
    next();
  };
  const stream = renderToPipeableStream({ result }, {}, { onError: (error) => errors.push(error) });
  stream.pipe(new Writable({ write, final: (next) => done(next()) }));
});
assert.deepEqual(errors, []);
assert.ok(sent.includes(result.data.firstname));
assert.ok(stringify(result).includes(result.data.firstname));
assert.equal(superjson.parse(superjson.stringify(result)).data.firstname, result.data.firstname);
const { port1, port2 } = new MessageChannel();
port1.postMessage(result);
assert.equal(receiveMessageOnPort(port2).message.data.firstname, result.data.firstname);
port1.close();
