import { render } from 'preact';

render(<main class="parley" />, document.body);
