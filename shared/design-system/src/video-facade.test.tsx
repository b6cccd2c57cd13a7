import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { VideoFacade } from './video-facade.tsx';

const VIDEO = 'https://youtu.be/DemoVideo01';

afterEach(cleanup);

test.each([
  [`${VIDEO}#1:24`, 'Play the video: The tour 1:24', 'The tour 1:24'],
  [VIDEO, 'Play the video: The tour', 'The tour '],
])('the button of %s is named "%s"', (link, name, says) => {
  render(
    <VideoFacade link={link} title="The tour">
      <i />
    </VideoFacade>,
  );
  const button = screen.getByRole('link', { name });
  expect(button.textContent).toBe(says);
});
