import { ButtonSketch, HomeSketch, PhoneSketch, RowSketch } from '@app/brand-ui/phone-sketch';

/** The phone in each step: the icon of the app, its button, the list of plans. */
export function StartArt({ of }: { of: keyof typeof VIEWS }) {
  return <PhoneSketch>{VIEWS[of]}</PhoneSketch>;
}

const VIEWS = {
  open: <HomeSketch sign="m13 35 11-22 11 22" />,
  tap: <ButtonSketch label="Get Plan" />,
  choose: ['Basic', 'Plus', 'Premium'].map((plan, at) => (
    <RowSketch key={plan} y={15 + at * 33} label={plan} isAccented={at === 1} />
  )),
};
