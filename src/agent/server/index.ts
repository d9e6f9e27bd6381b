/** The library, for whoever embeds it: `dist/agent-server.js` and its declarations are made of this. */
export { RequestError } from '@agentclientprotocol/sdk';
export type * from './api.ts';
export type * from './extras.ts';
export type { Form, FormAnswer, FormField, PageToVisit } from './forms.ts';
export type { Log } from './faults.ts';
export { Refusal } from './faults.ts';
export type { Authentication, Connection, ServeOptions } from './options.ts';
export { serve } from './serve.ts';
