# The program, the libraries that it needs, and nothing else: no shell, no package manager.
# `npm run build:binary` makes build/rootfs, and then any builder makes the image.
FROM scratch
COPY build/rootfs/ /
COPY --chown=65532:65532 build/rootfs/data /data
LABEL org.opencontainers.image.title=ramp-sandbox \
  org.opencontainers.image.licenses="MIT AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1"
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /data
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/usr/local/bin/ramp-sandbox", "health"]
ENTRYPOINT ["/usr/local/bin/ramp-sandbox"]
CMD ["start", "--host", "0.0.0.0"]
