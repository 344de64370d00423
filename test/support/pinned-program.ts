import { pinStages } from './pin-stages.ts';

/** Node loads this module before a program whose environment has `PINNED` (pin-stages.ts). */
pinStages();
