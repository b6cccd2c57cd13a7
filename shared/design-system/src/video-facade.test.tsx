import { cleanup, fireEvent, render, screen } from '@testing-library/react';
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

test('a click on the poster plays the video in the page, without another tab', () => {
  render(
    <VideoFacade link={VIDEO} title="The tour">
      <i />
    </VideoFacade>,
  );

  expect(fireEvent.click(screen.getByRole('link'))).toBe(false);
  expect(screen.getByTitle('The tour').getAttribute('src')).toContain('DemoVideo01');
});
