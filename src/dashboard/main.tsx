/** Where the pages start in a browser. */
import "./style/main.css";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { startLocation } from "./app/location.ts";
import { startSession } from "./app/session.ts";
import { startTheme } from "./app/theme.ts";

startTheme();
startLocation();
startSession();
render(<App />, document.getElementById("app")!);
