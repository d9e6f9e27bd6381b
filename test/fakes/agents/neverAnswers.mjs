/** Takes `initialize` and is silent for ever. Writes down, on stderr, what it is sent. */
import { listen } from './peer.mjs';

listen({
  initialize: () => process.stderr.write('thinking about initialize\n'),
  '$/cancel_request': ({ params }) =>
    process.stderr.write(`told to forget request ${JSON.stringify(params.requestId)}\n`),
});
