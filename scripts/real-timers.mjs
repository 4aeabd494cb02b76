// Takes the place of the global timers in all that is bundled: a library that sets one must get the
// real one, too, when a test has put fakes in their place.
const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout }
