import { useRef, type PointerEvent } from 'react';

export interface Point {
  x: number;
  y: number;
}

interface DragHandlers {
  /** Called while the pointer moves, with its distance from the start in CSS pixels. Positive is to the right. */
  onDrag: (across: number) => void;
  /** Called once at the end. `to` is undefined when the browser has cancelled the pointer, for example to scroll. */
  onDragEnd: (from: Point, to: Point | undefined) => void;
}

/** A drag begins after this distance. A shorter movement may be a tap or the start of a scroll. */
const DRAG_FROM_PX = 6;

/** Handlers for an element that a finger or mouse drags sideways. Its style needs `touch-action: pan-y`. */
export function useDrag({ onDrag, onDragEnd }: DragHandlers) {
  const start = useRef<Point & { isDragging: boolean }>(undefined);

  function move({ isPrimary, buttons, clientX, clientY, currentTarget, pointerId }: PointerEvent) {
    const from = start.current;
    if (!from || !isPrimary) return;

    // The button was released outside, before the drag began.
    if (buttons === 0) return void (start.current = undefined);

    const across = clientX - from.x;
    if (!from.isDragging) {
      if (Math.abs(across) < Math.max(DRAG_FROM_PX, Math.abs(clientY - from.y))) return;
      from.isDragging = true;
      // From here on, the element gets all events of the pointer, even outside its box.
      currentTarget.setPointerCapture(pointerId);
    }
    onDrag(across);
  }

  function end({ isPrimary }: PointerEvent, to: Point | undefined) {
    const from = start.current;
    if (!from || !isPrimary) return;

    start.current = undefined;
    onDragEnd(from, to);
  }

  return {
    onPointerDown({ isPrimary, button, clientX, clientY }: PointerEvent) {
      if (isPrimary && button === 0) start.current = { x: clientX, y: clientY, isDragging: false };
    },
    onPointerMove: move,
    onPointerUp: (event: PointerEvent) => end(event, { x: event.clientX, y: event.clientY }),
    onPointerCancel: (event: PointerEvent) => end(event, undefined),
  };
}
