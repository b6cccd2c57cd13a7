/**
 * The parts of the router that the units use. The bundle contains only these parts, and all units share one router
 * context.
 */
export { BrowserRouter as Router, useLocation, useNavigationType } from 'react-router-dom';
