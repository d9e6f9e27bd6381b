import type { Subject } from '../rule.ts';
import { watched } from './watched.ts';

export const transport: Subject = {
  name: 'Every frame',
  rules: [
    watched('stdout', {
      id: 'transport.stdout',
      title: 'stdout carries nothing but messages, one JSON object per line',
      spec: 'transports#stdio',
    }),
    watched('utf8', {
      id: 'transport.utf8',
      title: 'Messages are UTF-8',
      spec: 'transports',
    }),
    watched('envelope', {
      id: 'rpc.envelope',
      title: 'Messages are JSON-RPC 2.0 requests, notifications or responses',
      spec: 'jsonrpc#response_object',
    }),
    watched('ids', {
      id: 'rpc.ids',
      title: 'An answer carries the id of its request, and there is one for each',
      spec: 'jsonrpc#response_object',
    }),
    watched('methods', {
      id: 'rpc.methods',
      title: 'It calls methods of the protocol, others only with an underscore',
      spec: 'extensibility#extension-methods',
    }),
    watched('undeclared', {
      id: 'client.capabilities',
      title: 'It uses only what the client has offered',
      spec: 'initialization#client-capabilities',
    }),
    watched(
      'updates',
      {
        id: 'updates.shape',
        title: 'Session updates are as the schema has them',
        spec: 'prompt-turn#3-agent-reports-output',
      },
      { nothing: 'there were none' },
    ),
    watched('sessions', {
      id: 'updates.session',
      title: 'It speaks only of sessions that were opened',
      spec: 'session-setup#session-id',
    }),
    watched(
      'requests',
      {
        id: 'requests.shape',
        title: 'Requests for files and terminals are as the schema has them',
        spec: 'file-system',
      },
      { nothing: 'there were none' },
    ),
    watched(
      'paths',
      {
        id: 'paths.absolute',
        title: 'Paths are absolute, and lines are counted from 1',
        spec: 'overview#argument-requirements',
      },
      { nothing: 'it named no path' },
    ),
    watched('extra', {
      id: 'extensibility.fields',
      title: 'Fields of its own are in "_meta" only',
      spec: 'extensibility#the-_meta-field',
    }),
    watched(
      'draft',
      {
        id: 'extensibility.draft',
        title: 'What only the draft schema has is in "_meta"',
        spec: 'extensibility#advertising-custom-capabilities',
      },
      { advice: true },
    ),
  ],
};
