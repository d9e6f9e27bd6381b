/**
 * The single door for the protocol's types (ACP v1, the stable schema of the SDK). Types only: the SDK's run-time code
 * stays out of the extension.
 */
export type * from '@agentclientprotocol/sdk';
