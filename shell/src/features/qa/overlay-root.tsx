import { createRoot } from 'react-dom/client';
import { readResolution } from '../../federation/resolution.ts';
import { Overlay } from './overlay.tsx';
import { pinOverrides } from './pin-overrides.ts';
import { showToDevtools } from './show-to-devtools.ts';

export { toggleOverlay } from './overlay.tsx';

// A root of its own: the overlay lives on when a page, or the frame, has stopped working.
const host = document.createElement('div');
document.body.append(host);
const resolution = readResolution();
createRoot(host).render(<Overlay resolution={resolution} />);

void showToDevtools();
void pinOverrides(resolution);
