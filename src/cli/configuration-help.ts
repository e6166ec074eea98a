/** What the help says of the environment. Apart from the code that reads it, so that help loads nothing else. */
export const configurationHelp = `
Configuration is read from the environment:

  HOST, PORT         where it listens (127.0.0.1, 3000; PORT=0 takes a free port)
  HTTP_ENGINE        what speaks HTTP: "uws", "node", or "auto": uws wherever it loads (auto)
  PUBLIC_URL         origin in links and file URLs (http://localhost:PORT)
  DATA_DIR           embedded store, scan journal, admin token (./data)
  MONGODB_URL        use MongoDB (replica set or sharded cluster) instead of the embedded store
  CLUSTER            "on": serve together with other processes on the same MongoDB (off)
  CLUSTER_ADDRESS    host and port where those reach this one, and where it listens for them
  CLUSTER_CERT, CLUSTER_KEY, CLUSTER_CA
                     PEM files: TLS between them, with certificates on both sides (in the clear)
  ADMIN_TOKEN        bearer token of the admin API (kept in DATA_DIR/admin-token)
  METRICS            who may read /metrics: "token", "open" to all, or "off" (token)
  METRICS_TOKEN      bearer token of /metrics; the admin token opens it too
  PLANS_FILE         JSON that replaces the built-in plans
  BLOCKLIST_FILE     hosts and URL prefixes that links must not lead to, one a line
  SAFETY_CHECK_URL   a Web-Risk-style service that is asked about URLs (SAFETY_CHECK_KEY: its key;
                     SAFETY_CHECK_FAIL: "open" or "closed" when it does not answer)
  TRUSTED_PROXIES    addresses and CIDR ranges whose forwarding headers are believed
  COUNTRY_HEADER     header in which a trusted proxy names the visitor's country
  GEOIP_DB           country database in .mmdb form (one is shipped)
  SCAN_SYNC          milliseconds between syncs of the scan journal, or "always" (100)
  RENDER_THREADS     threads that draw images (cores - 1)
  LOG_LEVEL          trace, debug, info, warn, error, fatal or silent (info)
  ACCESS_LOG         "api": log every request but scans; "all": scans too (off)
  ACCESS_LOG_SAMPLE  share of the scans that are logged then, 0 to 1 (0.01)
  QRELAY_BOOTSTRAP   "off": do not create the demo account on an empty store
`;
