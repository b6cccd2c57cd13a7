/**
 * What the units use of the router. Only this part is sent to the browser, and all units share one copy of the
 * router's context.
 */
export { BrowserRouter as Router, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
