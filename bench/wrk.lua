-- Sends prepared requests one after the other. They are in the file given as the first argument, each as it
-- goes over the wire and ended by a zero byte, so that nothing is put together while it is measured.

local requests = {}
local at = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  local text = file:read("*a")
  file:close()
  local from = 1
  while true do
    local to = text:find("\0", from, true)
    if to == nil then break end
    requests[#requests + 1] = text:sub(from, to - 1)
    from = to + 1
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'figures {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
