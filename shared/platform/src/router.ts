/**
 * The router behind a facade: only what is named here travels to the browser
 * (sharing react-router-dom whole would ship the rest of it too), and no unit
 * can meet a second copy of its context.
 */
export { BrowserRouter as Router, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
