using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "bundle.js")],
  compatibilityDate = "2025-09-01",
  bindings = [
    (name = "PARLEY_URL", fromEnvironment = "PARLEY_URL"),
    (name = "PARLEY_WEBHOOK_SECRET", fromEnvironment = "PARLEY_WEBHOOK_SECRET"),
  ],
  globalOutbound = "internet",
);
