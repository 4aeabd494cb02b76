// What the bundler compiles JSX to.
export { Fragment, h } from 'preact'
