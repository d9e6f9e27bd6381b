import { advise, deviates, faultless, notRun } from '../finding.ts';
import { listOf, pick, show } from '../json.ts';
import type { Rule, Subject } from '../rule.ts';
import { inspect } from '../shape.ts';
import { PROTOCOL, told } from '../walk.ts';
import type { Walk } from '../walk.ts';

const LATEST_POSSIBLE = 65_535;

const version: Rule = {
  id: 'initialize.version',
  title: 'initialize is answered with a version of the protocol',
  spec: 'initialization#version-negotiation',
  check: async (walk) => {
    const peer = await walk.fresh();
    const reply = await walk.greet(peer);
    if (reply.kind !== 'result') {
      walk.unusable = peer.gone ?? 'initialize was not answered';
      deviates(told(reply));
    }
    walk.agent = reply.value;
    peer.watch.extras(reply.value, 'InitializeResponse', reply.frame);
    const spoken = pick(reply.value, 'protocolVersion');
    const wrong = about(walk, 'protocolVersion');
    if (wrong.length > 0 || spoken === undefined) {
      deviates(`the version is ${show(spoken)}, not an integer from 0 to ${LATEST_POSSIBLE}`);
    }
    if (spoken === PROTOCOL) return;
    walk.unusable = `it speaks only version ${show(spoken)}, and version ${PROTOCOL} is what is checked here`;
    advise(walk.unusable);
  },
};

const capabilities: Rule = {
  id: 'initialize.capabilities',
  title: 'Its capabilities are as the schema has them',
  spec: 'initialization#agent-capabilities',
  check: (walk) => {
    greeted(walk);
    faultless(about(walk, 'agentCapabilities'));
    if (walk.capability() === undefined) advise('it tells no capabilities, not even an empty list');
  },
};

const info: Rule = {
  id: 'initialize.info',
  title: 'It tells its name and its version',
  spec: 'initialization#implementation-information',
  check: (walk) => {
    greeted(walk);
    faultless(about(walk, 'agentInfo'));
    if ((pick(walk.agent, 'agentInfo') ?? null) === null) advise('there is no agentInfo');
  },
};

const authMethods: Rule = {
  id: 'initialize.auth-methods',
  title: 'Ways to sign in are as the schema has them, each with an id of its own',
  spec: 'authentication#advertising-authentication',
  check: (walk) => {
    greeted(walk);
    faultless(about(walk, 'authMethods'));
    const ids = methods(walk).map((method) => pick(method, 'id'));
    if (new Set(ids).size < ids.length) deviates(`two have the same id: ${show(ids)}`);
  },
};

const terminalAuth: Rule = {
  id: 'initialize.terminal-auth',
  title: 'Signing in in a terminal is offered only to clients that can do it',
  spec: 'initialization#terminal-authentication',
  check: (walk) => {
    greeted(walk);
    const terminal = methods(walk).find((method) => pick(method, 'type') === 'terminal');
    if (terminal !== undefined) {
      deviates(`${show(pick(terminal, 'id'))}, though the client has not offered auth.terminal`);
    }
  },
};

const first: Rule = {
  id: 'initialize.first',
  title: 'Nothing but initialize is answered before initialize',
  spec: 'initialization',
  when: 'late',
  check: async (walk) => {
    const peer = await walk.fresh({});
    const params = { cwd: walk.options.scratch, mcpServers: [] };
    // A process that starts needs longer for its first answer.
    const reply = await peer.request('session/new', params, walk.timeout * 3);
    const id = reply.kind === 'result' ? pick(reply.value, 'sessionId') : undefined;
    if (typeof id === 'string') walk.knows(id);
    if (reply.kind !== 'error') advise(`session/new came first: ${told(reply)}`);
  },
};

const newer: Rule = {
  id: 'initialize.newer',
  title: 'Asked for a version that does not exist yet, it answers its latest one',
  spec: 'initialization#version-negotiation',
  when: 'late',
  check: async (walk) => {
    const peer = await walk.fresh({});
    const reply = await walk.greet(peer, {}, LATEST_POSSIBLE);
    if (reply.kind !== 'result') deviates(told(reply));
    const spoken = pick(reply.value, 'protocolVersion');
    if (inspect(reply.value, 'InitializeResponse').wrong.some(isAbout('protocolVersion'))) {
      deviates(`the version is ${show(spoken)}`);
    }
    if (spoken === LATEST_POSSIBLE) deviates('it says that it speaks that version');
    if (Number(spoken) < PROTOCOL) deviates(`it answers ${show(spoken)}, and speaks ${PROTOCOL}`);
  },
};

export const initialize: Subject = {
  name: 'Initialization',
  rules: [version, capabilities, info, authMethods, terminalAuth, first, newer],
};

function greeted(walk: Walk): void {
  if (walk.agent === undefined) notRun('initialize was not answered');
}

function methods(walk: Walk): readonly unknown[] {
  return listOf(pick(walk.agent, 'authMethods'));
}

/** What is wrong with one part of the answer. */
function about(walk: Walk, field: string): readonly string[] {
  const part = { protocolVersion: PROTOCOL, [field]: pick(walk.agent, field) };
  return inspect(part, 'InitializeResponse', 'it').wrong;
}

function isAbout(field: string): (fault: string) => boolean {
  return (fault) => fault.includes(field);
}
