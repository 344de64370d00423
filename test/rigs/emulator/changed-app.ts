import { buildApp } from '../../../infra/app.ts';
import { CHANGED_APP, type ChangedApp } from './assemblies.ts';

/** The CDK app with other settings than the stage's file has, and with bundles that are ready. */

const { settings, bundles }: ChangedApp = JSON.parse(process.env[CHANGED_APP] ?? '{}');
buildApp({ changes: settings, bundles: new Map(Object.entries(bundles)) }).synth();
