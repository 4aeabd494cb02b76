# For people with a daemon; `npm run build:image` makes the same image without one.
FROM node:20-bookworm AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:image && mkdir /rootfs && tar -xzf build/rootfs.tar.gz -C /rootfs

# The program, the libraries that it needs, and nothing else: no shell, no package manager.
FROM scratch
COPY --from=build /rootfs/ /
COPY --from=build --chown=65532:65532 /rootfs/data /data
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /data
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/usr/local/bin/ramp-sandbox", "health"]
ENTRYPOINT ["/usr/local/bin/ramp-sandbox"]
CMD ["start", "--host", "0.0.0.0"]
