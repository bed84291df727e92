# Tableside in a container; compose.yaml starts it with a camera. Build: docker build --tag tableside .
FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY . .
# The wheel first: an image of a changed Tableside keeps the layer with its dependencies.
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim-trixie
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    TABLESIDE_DATA=/data
COPY requirements.txt /tmp/requirements.txt
RUN pip install --no-compile --require-hashes --only-binary :all: --requirement /tmp/requirements.txt \
    && rm /tmp/requirements.txt \
    && useradd --uid 1000 --user-group --groups video,dialout --no-create-home --shell /usr/sbin/nologin tableside \
    && install --directory --owner tableside --group tableside --mode 700 /data
COPY --from=build /wheels/ /tmp/wheels/
RUN pip install --no-deps --no-index --find-links /tmp/wheels tableside && rm -r /tmp/wheels
USER tableside
VOLUME /data
EXPOSE 8765
# A camera that is missing is no failure: the page says so, and Tableside waits for it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/health', timeout=4)"]
STOPSIGNAL SIGINT
ENTRYPOINT ["tableside"]
CMD ["serve", "--lan", "--camera", "demo"]
