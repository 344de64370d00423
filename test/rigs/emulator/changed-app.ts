import { buildApp } from '../../../infra/app.ts';
import { CHANGED_APP, type ChangedApp } from './assemblies.ts';

/** The CDK app with changed settings, and with bundles that were built earlier. */

const { settings, bundles }: ChangedApp = JSON.parse(process.env[CHANGED_APP] ?? '{}');
buildApp({ changes: settings, bundles: new Map(Object.entries(bundles)) }).synth();
