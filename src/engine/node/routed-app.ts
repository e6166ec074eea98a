import type { HttpHandler } from "../engine.ts";
import { Router } from "./router.ts";

/** Registering by method, for every app that has a router of ours. */
export class RoutedApp {
  readonly router = new Router();

  get(pattern: string, handler: HttpHandler): void {
    this.router.add("GET", pattern, handler);
  }

  head(pattern: string, handler: HttpHandler): void {
    this.router.add("HEAD", pattern, handler);
  }

  post(pattern: string, handler: HttpHandler): void {
    this.router.add("POST", pattern, handler);
  }

  patch(pattern: string, handler: HttpHandler): void {
    this.router.add("PATCH", pattern, handler);
  }

  del(pattern: string, handler: HttpHandler): void {
    this.router.add("DELETE", pattern, handler);
  }

  any(pattern: string, handler: HttpHandler): void {
    this.router.add("any", pattern, handler);
  }
}
