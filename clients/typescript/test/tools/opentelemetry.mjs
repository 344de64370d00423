import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { assert, client, fake, NIN } from './server.mjs';

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
tracerProvider.register();
registerInstrumentations({ instrumentations: [new UndiciInstrumentation()], tracerProvider });
fake.cutNext();
assert.equal((await client.verify('NIN', NIN)).replayed, true);
assert.equal(exporter.getFinishedSpans().filter(({ name }) => name.startsWith('POST')).length, 2);
assert.ok(fake.requests[0].headers.get('traceparent'));
