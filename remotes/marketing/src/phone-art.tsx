import { ButtonSketch, FaintLines, PhoneSketch, RowSketch } from '@app/brand-ui/phone-sketch';

export type PhoneArtName = keyof typeof VIEWS;

/** What the phone shows: the button of the app, the page with the ID. */
export function PhoneArt({ of }: { of: PhoneArtName }) {
  return <PhoneSketch>{VIEWS[of]}</PhoneSketch>;
}

const VIEWS = {
  key: <ButtonSketch label="Get Key" />,
  id: (
    <>
      <FaintLines d="M16 24h28M16 36h54" />
      <RowSketch y={48} label="ID 4f9c…" isAccented />
      <FaintLines d="M16 96h68M16 108h40" />
    </>
  ),
} as const;
