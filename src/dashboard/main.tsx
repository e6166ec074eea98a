/** Where the pages start in a browser. */
import "./style/main.css";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { place, startLocation } from "./app/location.ts";
import { findScreen } from "./app/screens.ts";
import { startSession } from "./app/session.ts";
import { startTheme } from "./app/theme.ts";

startTheme();
startLocation();
startSession();
// While it is asked who is there. What fails here is tried again, and told, when the screen opens.
findScreen(place.value.path)
  ?.screen.load()
  .catch(() => {});
render(<App />, document.getElementById("app")!);
